// The page's script, as text: it runs in the browser, not here.
declare const script: string;
export default script;
