// The variables of live templates in notes. An expression is a program: `groovyScript` runs any code. Only functions that compute a text from
// the file, the date, or the clipboard are written.
import { isRecord } from "./yaml.ts";

/** https://www.jetbrains.com/help/idea/template-variables.html */
const harmlessFunctions: ReadonlySet<string> = new Set(
  `annotated arrayVariable blockCommentEnd blockCommentStart camelCase capitalize capitalizeAndUnderscore castToLeftSideType className
  classNameComplete clipboard collectionElementName commentEnd commentStart complete completeSmart componentTypeOf concat currentPackage date
  dbColumns dbObjectName dbObjectText decapitalize descendantClassesEnum enum escapeString expectedType fileName fileNameWithoutExtension
  filePath fileRelativePath firstWord functionName guessElementType iterableComponentType iterableVariable JsArrayVariable jsClassName
  jsComponentType jsDefineParameter JsIteratedVariable jsMethodName jsQualifiedClassName jsSuggestDeclarationKeyword jsSuggestIndexName
  jsSuggestVariableName lineCommentStart lineNumber lowercaseAndDash methodName methodParameterTypes methodParameters methodReturnType
  qualifiedClassName regularExpression rightSideType snakeCase spaceSeparated spacesToUnderscores substringBefore subtypes suggestFirstVariableName
  suggestIndexName suggestShortVariableName suggestVariableName suggestVariableNameByType time typeOfVariable underscoresToCamelCase
  underscoresToSpaces user variableOfType`.split(/\s+/),
);

export interface Variable {
  readonly name: string;
  readonly expression: string;
  readonly defaultValue: string;
  readonly alwaysStopAt: string;
}

export interface Variables {
  readonly variables: readonly Variable[];
  /** The names of those whose expression is left out. */
  readonly withCode: readonly string[];
  /** Whether all of them are variables. */
  readonly isWhole: boolean;
}

/** The variables that can be written. */
export function readVariables(given: unknown): Variables {
  const all = Array.isArray(given) ? given.map(readVariable) : [];
  const variables = all.filter((each) => each !== undefined);
  return {
    variables: variables.map(({ variable }) => variable),
    withCode: variables.filter(({ hasCode }) => hasCode).map(({ variable }) => variable.name),
    isWhole: variables.length === all.length,
  };
}

function readVariable(given: unknown): { variable: Variable; hasCode: boolean } | undefined {
  if (!isRecord(given)) return undefined;
  const { name, expression = "", defaultValue = "", alwaysStopAt = "true" } = given;
  if (typeof name !== "string" || !/^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(name)) return undefined;
  // The default value is an expression, too.
  const [kept, keptDefault] = [expression, defaultValue].map((each) => (isHarmless(each) ? each : ""));
  return {
    variable: {
      ...{ name, expression: kept ?? "", defaultValue: keptDefault ?? "" },
      alwaysStopAt: String(alwaysStopAt) === "false" ? "false" : "true",
    },
    hasCode: kept !== expression || keptDefault !== defaultValue,
  };
}

const token = /\s*(?:(?<string>"(?:[^"\\]|\\.)*")|(?<name>[A-Za-z_]\w*)|(?<sign>[(),]))/sy;

/** Whether an expression is a text in quotes, a variable, or a call of harmless functions with such arguments. */
export function isHarmless(expression: unknown): expression is string {
  if (typeof expression !== "string") return false;
  if (expression.trim() === "") return true;
  // Wherever the editors see strings begin and end.
  if (/groovy/i.test(expression)) return false;
  const tokens: string[] = [];
  token.lastIndex = 0;
  for (let end = 0; end < expression.trimEnd().length; end = token.lastIndex) {
    const found = token.exec(expression)?.[0].trim();
    if (found === undefined) return false;
    tokens.push(found);
  }
  let at = 0;
  const readOne = (depth: number): boolean => {
    const first = tokens[at] ?? "";
    at += 1;
    if (!/^["A-Za-z_]/.test(first) || depth > nestingMax) return false;
    if (first.startsWith('"') || tokens[at] !== "(") return true;
    if (!harmlessFunctions.has(first)) return false;
    for (at += 1; tokens[at] !== ")"; ) {
      if (!readOne(depth + 1)) return false;
      if (tokens[at] === ",") at += 1;
      else if (tokens[at] !== ")") return false;
    }
    at += 1;
    return true;
  };
  return readOne(0) && at === tokens.length;
}

const nestingMax = 16;
