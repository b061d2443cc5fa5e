// The layout of pages: header, cards, badges, notices.
import { type ReactNode, useEffect, useId } from "react";
import { type HelpTopic, help } from "../help.ts";
import { classNames } from "./class-names.ts";
import { Icon } from "./icons.tsx";

/** Sets the title of the browser's tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Commonplace`;
  }, [title]);
}

/** The header of a page, with its h1. One per page. */
export function PageHeader({
  title,
  description,
  topic,
  actions,
}: {
  title: string;
  description?: ReactNode;
  /** What the documentation says about the page. */
  topic?: HelpTopic;
  actions?: ReactNode;
}) {
  useTitle(title);
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 id="page-title" tabIndex={-1} className="text-xl font-semibold tracking-tight break-words">
          {title}
        </h1>
        {(description || topic) && (
          <p className="text-quiet mt-1 max-w-prose break-words">
            {description} {topic && <HelpLink topic={topic} title={title} />}
          </p>
        )}
      </div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

const HelpLink = ({ topic, title }: { topic: HelpTopic; title: string }) => (
  <a href={`/docs/${help[topic]}`} target="_blank" rel="noreferrer" className="link whitespace-nowrap">
    Learn more<span className="sr-only"> about {title}</span>
  </a>
);

/** A section of a page in a frame, with an h2 if it has a title. */
export function Card({
  title,
  description,
  actions,
  isFlush = false,
  className,
  children,
}: {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  /** The content reaches the edges, as tables do. */
  isFlush?: boolean;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const hasHead = title !== undefined || Boolean(actions);
  return (
    <section
      aria-labelledby={title === undefined ? undefined : id}
      className={classNames("bg-surface border-line shadow-low min-w-0 rounded-lg border", className)}
    >
      {hasHead && (
        // On a phone the description is as wide as the card, below the title and the actions.
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 pt-4 sm:grid sm:items-start sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-y-0.5 sm:px-5">
          {title !== undefined && (
            <h2 id={id} className="min-w-0 flex-1 basis-28 font-semibold break-words">
              {title}
            </h2>
          )}
          {description && (
            <p className="text-quiet order-last min-w-0 max-w-prose basis-full break-words sm:order-none sm:col-start-1 sm:row-start-2">
              {description}
            </p>
          )}
          {actions && <div className="flex flex-wrap gap-2 sm:col-start-2 sm:row-span-2 sm:row-start-1">{actions}</div>}
        </div>
      )}
      <div className={classNames("min-w-0", isFlush ? hasHead && "pt-3" : "p-4 sm:p-5")}>{children}</div>
    </section>
  );
}

const tones = {
  neutral: "bg-sunken text-quiet",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  accent: "bg-accent-soft text-accent",
} as const;
export type Tone = keyof typeof tones;

/** A state in one word. Color is never the only sign. */
export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={classNames(
      "inline-flex items-center gap-1 rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap",
      tones[tone],
    )}
  >
    {children}
  </span>
);

/** A highlighted message. Where it appears later, the caller wraps it in `role="status"`. */
export const Notice = ({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) => (
  <div className={classNames("flex gap-2.5 rounded-md px-3.5 py-2.5", tones[tone], tone === "neutral" && "text-text")}>
    <Icon
      name={tone === "warn" || tone === "danger" ? "warning" : tone === "good" ? "check" : "info"}
      className="mt-0.5 size-4"
    />
    <div className="grid min-w-0 flex-1 gap-1 break-words">{children}</div>
  </div>
);

/** Names and values: `<DescriptionList items={[["Created", <Time at={…} />]]} />`. */
export const DescriptionList = ({ items }: { items: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr] sm:items-baseline">
    {items.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-quiet">{name}</dt>
        <dd className="-mt-2 min-w-0 break-words sm:mt-0">{value}</dd>
      </div>
    ))}
  </dl>
);

/** A key figure with its label. */
export const Stat = ({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) => (
  <div className="min-w-0">
    <p className="text-quiet text-[0.8125rem]">{label}</p>
    <p className="mt-0.5 text-2xl font-semibold tracking-tight break-words tabular-nums">{value}</p>
    {note && <p className="text-quiet mt-0.5 text-[0.8125rem] break-words">{note}</p>}
  </div>
);
