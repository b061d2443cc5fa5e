// The form of a commit's subject: an instruction of at most 72 characters, such as "Revoke invitations when an account is stopped".

/** So that one line of `git log --oneline`, and of the pages that show commits, holds it. */
export const subjectCharactersMax = 72;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
/** They begin a description. Other such words are recognized by their endings. */
const descriptive = wordsOf(`
  A An The This That These Those It Its We You I No Not All Any Each Every Both More Most One Two Three New Now Also And Or But
  When While Where What Who Why How If In On At For With Without From To Of By As Up Misc Minor Various Wip`);
/** Of plurals, past tenses, and participles. */
const descriptiveEnding = /[^s]s$|ed$|ing$/;
/** Verbs in the imperative with such an ending. */
const imperative = wordsOf("Bias Bring Embed Exceed Feed Focus Need Ping Proceed Seed Shed Speed String Succeed");

/** What is wrong with the subject of a commit; undefined if nothing is. */
export function subjectProblem(subject: string): string | undefined {
  const characters = [...subject].length;
  if (characters > subjectCharactersMax)
    return `it has ${characters} characters; the maximum is ${subjectCharactersMax}`;
  const [, word = ""] = /^([A-Z][a-z-]+),? ./.exec(subject) ?? [];
  const isDescription = descriptive.has(word) || (descriptiveEnding.test(word) && !imperative.has(word));
  if (word === "" || isDescription || /^Work in progress\b/i.test(subject))
    return "it does not begin with a capitalized verb in the imperative";
  return subject.endsWith(".") ? "it ends with a period" : undefined;
}
