// The names of formats in the help of commands.

const columnsMax = 76;

/** A list as lines that fit into the help. */
export function listInLines(label: string, names: readonly string[]): string[] {
  const lines = [label];
  for (const [index, name] of names.entries()) {
    const word = ` ${name}${index === names.length - 1 ? "." : ","}`;
    const last = lines.at(-1) ?? "";
    if (last.length + word.length > columnsMax) lines.push(word.trim());
    else lines[lines.length - 1] = last + word;
  }
  return lines;
}
