// What the documentation uses of Eleventy, which has no types of its own.
declare module "@11ty/eleventy" {
  interface Template {
    /** The address of the page's file on the site. */
    readonly permalink: string;
    /** The languages that the text is written in; without "liquid", `{{` and `{%` are plain text. */
    readonly templateEngineOverride: "md";
  }

  interface Configuration<Data> {
    setTemplateFormats(formats: string): void;
    setLibrary(language: "md", library: { render(text: string, data: Data): string }): void;
    /** Adds a template that is not a file of the input directory. */
    addTemplate(path: string, text: string, data: Data & Template): void;
  }

  interface Options<Data> {
    readonly quietMode: boolean;
    readonly configPath: false;
    readonly config: (configuration: Configuration<Data>) => void;
  }

  export default class Eleventy<Data> {
    constructor(input: string, output: string, options: Options<Data>);
    /** The pages, which are not written. */
    toJSON(): Promise<{ readonly url: string; readonly content: string }[]>;
  }
}
