// Font files are included in the executable. An import returns the path of the file.
declare module "*.ttf" {
  const path: string;
  export default path;
}
