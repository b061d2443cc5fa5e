// The example snippets that an empty library offers: replies, emails, prompts and code that one can use as they are.

export interface ExampleSnippet {
  readonly folder: keyof typeof exampleFolders;
  readonly tags: readonly (keyof typeof exampleTags)[];
  readonly title: string;
  readonly shortcut?: string;
  readonly note?: string;
  readonly type: string;
  readonly text: string;
  readonly variations?: readonly { readonly name: string; readonly text: string }[];
}

export const exampleFolders = {
  replies: { name: "Support replies", color: "#227adf" },
  refunds: { name: "Refunds and returns", color: "#188b7b", inside: "replies" },
  emails: { name: "Emails", color: "#6870dc" },
  prompts: { name: "Prompts", color: "#d0419b" },
  code: { name: "Code", color: "#298c4a" },
} as const satisfies Record<string, { name: string; color: string; inside?: string }>;

export const exampleTags = {
  apology: { name: "apology", color: "#c55c16" },
  followUp: { name: "follow-up", color: "#188b7b" },
  internal: { name: "internal", color: "#777c86" },
  template: { name: "template", color: "#9c5fd1" },
} as const;

export const exampleSnippets: readonly ExampleSnippet[] = [
  {
    folder: "replies",
    tags: ["template"],
    title: "First answer: we are looking into it",
    shortcut: ";look",
    note: "For questions that need more than an hour. Fill in when you will write again, and keep to it.",
    type: "plaintext",
    text: `Hi {{first name}},

thank you for writing to us, and for describing what happened in such detail. I am looking into it now and will write again by {{when}}.

If anything changes in the meantime, simply reply to this message.

Best regards
{{your name}}`,
    variations: [
      {
        name: "Formal",
        text: `Dear {{title and last name}},

Thank you for your message. We are examining the matter and will inform you of the result by {{when}}.

Yours sincerely
{{your name}}`,
      },
      { name: "Chat", text: "Hi {{first name}}! Thanks, I’m on it. You’ll hear from me by {{when}}." },
    ],
  },
  {
    folder: "replies",
    tags: ["apology"],
    title: "Sorry for the outage",
    shortcut: ";outage",
    note: "Only after the status page says that the outage is over.",
    type: "plaintext",
    text: `Hi {{first name}},

today from {{start}} to {{end}} (UTC), {{product}} could not be reached. We are sorry: I know that you count on it.

The cause was {{cause}}. It is fixed, and no data was lost. To keep it from happening again, we are {{measure}}.

Please tell me if anything still looks wrong on your side.

Best regards
{{your name}}`,
  },
  {
    folder: "replies",
    tags: [],
    title: "How to reset a password",
    shortcut: ";pw",
    type: "markdown",
    text: `Hi {{first name}},

you can choose a new password yourself:

1. Open **{{sign-in address}}**.
2. Select **Forgot password?** and enter your email address.
3. Open the link in our email within an hour.

No email after a few minutes? Please look in your spam folder, and check that you used the address of your account.

Best regards
{{your name}}`,
  },
  {
    folder: "replies",
    tags: ["followUp"],
    title: "Did that solve it?",
    shortcut: ";solved",
    note: "Three working days after the last answer.",
    type: "plaintext",
    text: `Hi {{first name}},

a few days ago, I sent you a suggestion about {{topic}}. Did it help?

If so, there is nothing to do. If not, tell me what you see now, and we will go on from there.

Best regards
{{your name}}`,
  },
  {
    folder: "replies",
    tags: [],
    title: "We will not build this, and why",
    type: "plaintext",
    text: `Hi {{first name}},

thank you for suggesting {{feature}}. We have thought about it, and we are not going to build it: {{reason}}.

I would rather say so than leave you waiting. What you want to achieve may still be possible: {{alternative}}.

Best regards
{{your name}}`,
  },
  {
    folder: "refunds",
    tags: ["template"],
    title: "Refund sent",
    shortcut: ";refund",
    type: "plaintext",
    text: `Hi {{first name}},

I have refunded {{amount}} for order {{order number}}. Depending on your bank, it arrives within {{days}} working days.

You do not need to send anything back.

Best regards
{{your name}}`,
    variations: [
      {
        name: "After a return",
        text: `Hi {{first name}},

your parcel has arrived, thank you. I have refunded {{amount}} for order {{order number}}. Depending on your bank, it arrives within {{days}} working days.

Best regards
{{your name}}`,
      },
    ],
  },
  {
    folder: "refunds",
    tags: ["apology"],
    title: "The refund period is over",
    note: "Offer the voucher only for orders of the last 90 days.",
    type: "plaintext",
    text: `Hi {{first name}},

I understand that {{product}} was not what you expected. Our refund period of {{days}} days ended on {{date}}, so I cannot refund this order.

What I can offer is a voucher of {{amount}} for your next one. Shall I send it to you?

Best regards
{{your name}}`,
  },
  {
    folder: "refunds",
    tags: [],
    title: "How to send something back",
    shortcut: ";return",
    type: "markdown",
    text: `Hi {{first name}},

sending order {{order number}} back takes three steps:

1. Put everything into its box, with the accessories.
2. Print the label that is attached to this email and stick it on the box.
3. Hand it in at any {{carrier}} shop by **{{date}}**.

We pay for the label. The refund follows when the parcel is here.

Best regards
{{your name}}`,
  },
  {
    folder: "emails",
    tags: ["template"],
    title: "Introduction of two people",
    type: "plaintext",
    text: `Hi {{first person}}, hi {{second person}},

you two should know each other.

{{first person}} {{what they do}}. {{second person}} {{what the other does}}. You are both working on {{topic}}, so I think half an hour together would be well spent.

I leave the rest to you.

{{your name}}`,
  },
  {
    folder: "emails",
    tags: ["followUp"],
    title: "Reminder of an unpaid invoice",
    shortcut: ";invoice",
    type: "plaintext",
    text: `Hello {{name}},

invoice {{invoice number}} of {{date}} over {{amount}} was due on {{due date}}, and we have not received a payment yet.

Perhaps it was overlooked. Could you let me know when we can expect it? If you have paid in the meantime, please ignore this message.

Kind regards
{{your name}}`,
    variations: [
      {
        name: "Second reminder",
        text: `Hello {{name}},

on {{date of the first reminder}}, I wrote to you about invoice {{invoice number}} over {{amount}}. It is still unpaid.

Please pay it by {{new due date}}. If something is wrong with the invoice, tell me today, and we will sort it out.

Kind regards
{{your name}}`,
      },
    ],
  },
  {
    folder: "emails",
    tags: ["internal", "template"],
    title: "Notes of a meeting",
    shortcut: ";notes",
    type: "markdown",
    text: `# {{topic}}, {{date}}

**There:** {{who was there}}

## Decided

-

## To do

| What | Who | By when |
|---|---|---|
|  |  |  |

## Open

-`,
  },
  {
    folder: "emails",
    tags: ["internal"],
    title: "Weekly report in five lines",
    type: "markdown",
    text: `**Done:** {{what was finished}}
**Learned:** {{what surprised us}}
**Next:** {{what comes now}}
**Blocked:** {{what is missing, and from whom}}
**Number of the week:** {{number and what it means}}`,
  },
  {
    folder: "prompts",
    tags: [],
    title: "Shorten a text without losing facts",
    shortcut: ";shorten",
    type: "plaintext",
    text: `Shorten the text below to about {{number}} words.

Keep every fact, number, name and date. Keep the order. Remove repetition, filler and adjectives that add nothing. Do not add anything of your own. Answer with the text alone.

Text:
{{text}}`,
  },
  {
    folder: "prompts",
    tags: [],
    title: "Answer a customer in our tone",
    note: "Read the answer before you send it: it may promise what we do not do.",
    type: "plaintext",
    text: `You write for the support desk of {{company}}. Write a reply to the message below.

- Plain, friendly sentences. No exclamation marks, no phrases such as “we value your feedback”.
- First what the customer can do now, then why.
- If something is missing to answer, ask for exactly that.
- Never promise a date, a refund or a feature.

What we know: {{facts}}

Message:
{{message}}`,
  },
  {
    folder: "prompts",
    tags: ["internal"],
    title: "Review a change of code",
    type: "markdown",
    text: `Review this change as an experienced colleague would.

1. **Wrong:** what does not work, or not always? Give an input that shows it.
2. **Risky:** what may break for others: data, security, compatibility, speed?
3. **Unclear:** what would somebody misread in a year?

Say nothing about style that a formatter decides. If there is nothing to say, say so.

\`\`\`{{language}}
{{change}}
\`\`\``,
  },
  {
    folder: "code",
    tags: [],
    title: "The largest tables of a PostgreSQL database",
    type: "sql",
    text: `select relname as "table",
       pg_size_pretty(pg_total_relation_size(oid)) as total,
       pg_size_pretty(pg_relation_size(oid)) as "without indexes",
       reltuples::bigint as "rows, about"
from pg_class
where relkind = 'r' and relnamespace = '{{schema}}'::regnamespace
order by pg_total_relation_size(oid) desc
limit 20;`,
  },
  {
    folder: "code",
    tags: [],
    title: "Undo the last commit, keep the changes",
    shortcut: ";undo",
    type: "shell",
    text: "git reset --soft HEAD~1",
    variations: [
      { name: "Already pushed", text: "git revert --no-edit HEAD\ngit push" },
      { name: "Only the message", text: "git commit --amend" },
    ],
  },
  {
    folder: "code",
    tags: [],
    title: "Try again, with growing pauses",
    type: "typescript",
    text: `/** Calls \`attempt\` until it succeeds, at most \`times\` times, and waits twice as long after each failure. */
export async function retry<Result>(attempt: () => Promise<Result>, times = 5, firstPause = 200): Promise<Result> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tried >= times) throw error;
      const pause = firstPause * 2 ** (tried - 1);
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
    }
  }
}`,
  },
  {
    folder: "code",
    tags: [],
    title: "Count the rows of a CSV file by a column",
    type: "python",
    text: `import csv
from collections import Counter

with open("{{file}}", newline="", encoding="utf-8") as file:
    counts = Counter(row["{{column}}"] for row in csv.DictReader(file))

for value, number in counts.most_common():
    print(f"{number:8} {value}")`,
  },
  {
    folder: "code",
    tags: ["internal"],
    title: "What listens on a port?",
    shortcut: ";port",
    type: "shell",
    text: "ss -ltnp 'sport = :{{port}}'",
    variations: [
      { name: "macOS", text: "lsof -nP -iTCP:{{port}} -sTCP:LISTEN" },
      { name: "Windows", text: "Get-NetTCPConnection -LocalPort {{port}} -State Listen | Select-Object OwningProcess" },
    ],
  },
];
