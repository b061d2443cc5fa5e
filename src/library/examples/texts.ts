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
    title: "First reply: looking into it",
    shortcut: ";look",
    note: "For questions that take more than an hour. Say when you will follow up, and stick to it.",
    type: "plaintext",
    text: `Hi {{first name}},

Thank you for contacting us and for describing what happened in such detail. I’m looking into it now and will get back to you by {{when}}.

If anything changes in the meantime, just reply to this message.

Best regards,
{{your name}}`,
    variations: [
      {
        name: "Formal",
        text: `Dear {{title and last name}},

Thank you for your message. We are looking into the matter and will update you by {{when}}.

Sincerely,
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
    note: "Send only after the status page says the outage is over.",
    type: "plaintext",
    text: `Hi {{first name}},

Today from {{start}} to {{end}} (UTC), {{product}} was unavailable. I’m sorry: I know you rely on it.

The cause was {{cause}}. It has been fixed, and no data was lost. To keep this from happening again, we’re {{what we are doing}}.

Please let me know if anything still looks wrong on your end.

Best regards,
{{your name}}`,
  },
  {
    folder: "replies",
    tags: [],
    title: "How to reset a password",
    shortcut: ";pw",
    type: "markdown",
    text: `Hi {{first name}},

You can reset your password yourself:

1. Go to **{{sign-in address}}**.
2. Select **Forgot password?** and enter your email address.
3. Open the link in our email within an hour.

If the email doesn’t arrive within a few minutes, check your spam folder, and make sure you entered the email address for your account.

Best regards,
{{your name}}`,
  },
  {
    folder: "replies",
    tags: ["followUp"],
    title: "Did that solve it?",
    shortcut: ";solved",
    note: "Send three business days after your last reply.",
    type: "plaintext",
    text: `Hi {{first name}},

A few days ago, I sent you a suggestion about {{topic}}. Did it help?

If so, there’s nothing you need to do. If not, tell me what you’re seeing now, and we’ll take it from there.

Best regards,
{{your name}}`,
  },
  {
    folder: "replies",
    tags: [],
    title: "Decline a feature request",
    type: "plaintext",
    text: `Hi {{first name}},

Thank you for suggesting {{feature}}. We’ve thought about it, and we’re not going to build it: {{reason}}.

I’d rather tell you now than keep you waiting. There may be another way to do what you need: {{alternative}}.

Best regards,
{{your name}}`,
  },
  {
    folder: "refunds",
    tags: ["template"],
    title: "Refund sent",
    shortcut: ";refund",
    type: "plaintext",
    text: `Hi {{first name}},

I’ve refunded {{amount}} for order {{order number}}. Depending on your bank, it should arrive within {{days}} business days.

You don’t need to send anything back.

Best regards,
{{your name}}`,
    variations: [
      {
        name: "After a return",
        text: `Hi {{first name}},

Your return has arrived. Thank you. I’ve refunded {{amount}} for order {{order number}}. Depending on your bank, it should arrive within {{days}} business days.

Best regards,
{{your name}}`,
      },
    ],
  },
  {
    folder: "refunds",
    tags: ["apology"],
    title: "Refund period has ended",
    note: "Offer the credit only for orders from the last 90 days.",
    type: "plaintext",
    text: `Hi {{first name}},

I understand that {{product}} wasn’t what you expected. Our {{days}}-day refund period ended on {{date}}, so I can’t refund this order.

What I can offer is a credit of {{amount}} toward your next one. Would you like me to add it to your account?

Best regards,
{{your name}}`,
  },
  {
    folder: "refunds",
    tags: [],
    title: "How to return an order",
    shortcut: ";return",
    type: "markdown",
    text: `Hi {{first name}},

You can return order {{order number}} in three steps:

1. Put everything back in its box, including any accessories.
2. Print the label attached to this email and tape it to the box.
3. Drop it off at any {{carrier}} location by **{{date}}**.

We cover the shipping. We’ll send your refund once we receive the package.

Best regards,
{{your name}}`,
  },
  {
    folder: "emails",
    tags: ["template"],
    title: "Introduce two people",
    type: "plaintext",
    text: `Hi {{first person}} and {{second person}},

I think you two should meet.

{{first person}} {{what they do}}. {{second person}} {{what the other does}}. You’re both working on {{topic}}, so half an hour together would be well spent.

I’ll let you take it from here.

{{your name}}`,
  },
  {
    folder: "emails",
    tags: ["followUp"],
    title: "Unpaid invoice reminder",
    shortcut: ";invoice",
    type: "plaintext",
    text: `Hello {{name}},

Invoice {{invoice number}} from {{date}} for {{amount}} was due on {{due date}}, and we haven’t received your payment yet.

It may have been overlooked. Could you let me know when we can expect it? If you’ve already paid, please disregard this message.

Best regards,
{{your name}}`,
    variations: [
      {
        name: "Second reminder",
        text: `Hello {{name}},

On {{date of the first reminder}}, I wrote to you about invoice {{invoice number}} for {{amount}}. It is still unpaid.

Please pay it by {{new due date}}. If something is wrong with the invoice, let me know today, and we’ll sort it out.

Best regards,
{{your name}}`,
      },
    ],
  },
  {
    folder: "emails",
    tags: ["internal", "template"],
    title: "Meeting notes",
    shortcut: ";notes",
    type: "markdown",
    text: `# {{topic}}, {{date}}

**Attendees:** {{who was there}}

## Decisions

-

## Action items

| Task | Owner | Due |
|---|---|---|
|  |  |  |

## Open questions

-`,
  },
  {
    folder: "emails",
    tags: ["internal"],
    title: "Weekly update in five lines",
    type: "markdown",
    text: `**Done:** {{what was finished}}
**Learned:** {{what surprised us}}
**Next:** {{what comes next}}
**Blocked:** {{what you need, and from whom}}
**Number of the week:** {{number and what it means}}`,
  },
  {
    folder: "prompts",
    tags: [],
    title: "Shorten text without losing facts",
    shortcut: ";shorten",
    type: "plaintext",
    text: `Shorten the text below to about {{number}} words.

Keep every fact, number, name, and date. Keep the order. Remove repetition, filler, and adjectives that add nothing. Do not add anything of your own. Reply with the shortened text only.

Text:
{{text}}`,
  },
  {
    folder: "prompts",
    tags: [],
    title: "Reply to a customer in our voice",
    note: "Read the reply before you send it. It may promise something we don’t do.",
    type: "plaintext",
    text: `You write for the support desk of {{company}}. Write a reply to the message below.

- Plain, friendly sentences. No exclamation marks, no phrases such as “we value your feedback”.
- Start with what the customer can do now, then explain why.
- If you’re missing information, ask for exactly that.
- Never promise a date, a refund, or a feature.

What we know: {{facts}}

Message:
{{message}}`,
  },
  {
    folder: "prompts",
    tags: ["internal"],
    title: "Review a code change",
    type: "markdown",
    text: `Review this change as an experienced colleague would.

1. **Wrong:** What doesn’t work, or works only sometimes? Give an input that shows it.
2. **Risky:** What could break for others: data, security, compatibility, speed?
3. **Unclear:** What would someone misread a year from now?

Don’t comment on style that a formatter handles. If you have no comments, say so.

\`\`\`{{language}}
{{change}}
\`\`\``,
  },
  {
    folder: "code",
    tags: [],
    title: "Largest tables in a PostgreSQL database",
    type: "sql",
    text: `select relname as "table",
       pg_size_pretty(pg_total_relation_size(oid)) as total,
       pg_size_pretty(pg_relation_size(oid)) as "without indexes",
       reltuples::bigint as "approximate rows"
from pg_class
where relkind = 'r' and relnamespace = '{{schema}}'::regnamespace
order by pg_total_relation_size(oid) desc
limit 20;`,
  },
  {
    folder: "code",
    tags: [],
    title: "Undo the last commit but keep the changes",
    shortcut: ";undo",
    type: "shell",
    text: "git reset --soft HEAD~1",
    variations: [{ name: "Change the message only", text: "git commit --amend" }],
  },
  {
    folder: "code",
    tags: [],
    title: "Retry with exponential backoff",
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
    title: "Count rows in a CSV file by column",
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
    title: "What’s listening on a port?",
    shortcut: ";port",
    type: "shell",
    text: "ss -ltnp 'sport = :{{port}}'",
    variations: [
      { name: "macOS", text: "lsof -nP -iTCP:{{port}} -sTCP:LISTEN" },
      { name: "Windows", text: "Get-NetTCPConnection -LocalPort {{port}} -State Listen | Select-Object OwningProcess" },
    ],
  },
];
