// Files of the documentation, which are imported as text.
declare module "*.md" {
  const text: string;
  export default text;
}
