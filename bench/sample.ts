// Sample snippets of about 500 bytes. All have the same length, so that every response of GET /snippet is as long as
// that of the bare server.

export const batchSize = 100;

const text = `Hello {{name}},

thank you for your message. I have looked at your order, and the part that was missing leaves our warehouse today: "express",
so it is with you within two days. You do not have to send anything back.

If something is unclear, answer to this mail or call us: we are here from 9:00 to 18:00.

Kind regards
{{agent}}
`;

export const sampleSnippet = (index: number, teamId: string) => {
  const number = String(index).padStart(7, "0");
  return {
    title: `Order ${number}: the missing part is on its way`,
    content: { type: "plaintext", content: `${text}Order ${number}` },
    teamId,
    note: "After the second message only",
    shortcut: "/missing",
  };
};
