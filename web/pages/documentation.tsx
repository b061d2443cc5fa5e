// The documentation that the console contains: files of docs/, formatted. It needs no session and no other host.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import { ErrorState, Loading, useTitle } from "../components/index.ts";
import MarkdownPreview from "../library/markdown/preview.tsx";
import { Brand } from "../shell.tsx";
import { documentationPath, findDocument, forConsole, listDocuments, slugOf } from "./documentation/documents.ts";
import { NotFound } from "./not-found.tsx";

/** @param name of the file below docs/, without its ending */
export default function Documentation({ name }: { name: string }) {
  const document = findDocument(name);
  useTitle(document?.title ?? "Documentation");
  return (
    <div className="mx-auto grid max-w-5xl gap-6 px-4 py-6 sm:px-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <header className="lg:col-span-2">
        <Brand />
      </header>
      <Contents current={name} />
      <main className="min-w-0 max-lg:row-start-2">
        <h1 className="text-quiet text-sm font-medium">Documentation</h1>
        {document ? <Text name={name} {...document} /> : <NotFound />}
      </main>
    </div>
  );
}

const Contents = ({ current }: { current: string }) => (
  <nav aria-label="Documentation">
    <ul className="grid gap-0.5">
      {listDocuments().map(([name, title]) => (
        <li key={name}>
          <Link
            href={documentationPath(name)}
            aria-current={name === current ? "page" : undefined}
            className="hover:bg-hover aria-[current]:bg-accent-soft aria-[current]:text-accent block rounded-md px-2.5 py-1.5"
          >
            {title}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
);

function Text({ name, title, load }: { name: string; title: string; load: () => Promise<string> }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["documentation", name],
    queryFn: load,
    staleTime: "static",
    retry: false,
  });
  useEffect(() => {
    if (data !== undefined) scrollToHeading(location.hash.slice(1));
  }, [data]);
  return (
    <>
      <h2 className="mt-1 mb-4 text-2xl font-semibold tracking-tight">{title}</h2>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data !== undefined && (
        // The lines of the files are wrapped.
        <div className="[&_br]:hidden [&>div]:max-w-none [&_p]:max-w-prose [&_li]:max-w-prose [&_table]:wrap-normal [&_th]:text-start">
          <MarkdownPreview text={forConsole(name, data, location.origin)} />
        </div>
      )}
    </>
  );
}

function scrollToHeading(slug: string): void {
  const headings = [...document.querySelectorAll("main :is(h3, h4, h5, h6)")];
  headings.find((heading) => slugOf(heading.textContent ?? "") === slug)?.scrollIntoView();
}
