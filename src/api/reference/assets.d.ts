// Files that are part of a compiled program too: styles and the page's script as text, the bundle as the path of a file.
declare module "*.css" {
  const text: string;
  export default text;
}
declare module "*.br" {
  const path: string;
  export default path;
}
