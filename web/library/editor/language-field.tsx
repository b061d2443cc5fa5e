// The language of a text, kept in its content type. One that only programs know stays as it is.
import { Select } from "../../components/field.tsx";
import { languageOf } from "./guess-language.ts";
import { guessedType, languageOfType, languages } from "./languages.ts";

const [plain, markdown, ...code] = languages;
const prose = [plain, markdown].flatMap((row) => row ?? []);

export function LanguageField({
  contentType,
  beginning,
  onChange,
}: {
  contentType: string;
  /** Of the text, to guess the language of `code`. */
  beginning: string;
  onChange: (contentType: string) => void;
}) {
  const value = languageOfType(contentType)?.id ?? contentType;
  const isKnown = value === guessedType || languageOfType(value) !== undefined;
  const guessed = languageOf(guessedType, beginning)?.name;
  return (
    <Select
      aria-label="Language"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className="w-full max-w-48"
    >
      {!isKnown && <option value={value}>{value}</option>}
      {prose.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <option value={guessedType}>
        {value === guessedType && guessed !== undefined ? `Code (${guessed})` : "Code (detect language)"}
      </option>
      <optgroup label="Code">
        {code.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </optgroup>
    </Select>
  );
}
