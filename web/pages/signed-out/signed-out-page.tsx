// The layout of pages that require no session.
import type { ReactNode } from "react";
import { useTitle } from "../../components/index.ts";
import { Logo } from "../../shell.tsx";

export function SignedOutPage({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    // The distance from the top does not depend on the height of the card, so nothing moves when the card grows.
    <main className="grid min-h-dvh grid-cols-[minmax(0,24rem)] content-start justify-center gap-5 px-4 pt-[clamp(1.5rem,18dvh,12rem)] pb-10">
      <p className="flex items-center justify-center gap-2 font-semibold tracking-tight">
        <Logo />
        Commonplace
      </p>
      <div className="bg-surface border-line shadow-low grid gap-5 rounded-xl border p-5 sm:p-7">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold tracking-tight break-words">{title}</h1>
          {lead && <div className="text-quiet break-words">{lead}</div>}
        </div>
        {children}
      </div>
    </main>
  );
}
