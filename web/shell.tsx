// The frame of every page: navigation, workspace switch, person menu.
import { Dialog } from "radix-ui";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { defaultWorkspace } from "./address.ts";
import { IconButton } from "./components/button.tsx";
import { classNames } from "./components/class-names.ts";
import { Icon, type IconName } from "./components/icons.tsx";
import { Notice } from "./components/layout.tsx";
import { Keys } from "./library/open-keys.tsx";
import { CompactPaletteButton, Palette, PaletteButton } from "./library/palette/open-palette.tsx";
import { OpenUndoDialog } from "./library/selection/open-undo.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { type WorkspacePage, workspacePages } from "./routes.tsx";
import { useMembership, usePerson, useSession } from "./workspace.tsx";
import { WorkspaceSwitch } from "./workspace-switch.tsx";

export function Shell({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  useFocusOnNavigation(main);
  const fillsWindow = useOpenPage()?.fillsWindow === true;
  return (
    <div
      className={classNames(
        "md:grid md:grid-cols-[15.5rem_minmax(0,1fr)] print:block",
        fillsWindow ? "flex h-dvh flex-col md:max-2xl:grid-cols-[5rem_minmax(0,1fr)]" : "min-h-dvh",
      )}
    >
      <a
        href="#main"
        className="bg-accent text-on-accent sr-only z-50 rounded-md px-4 py-2 font-medium focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      <header
        data-rail={fillsWindow || undefined}
        className="border-line bg-ground sticky top-0 z-20 md:h-dvh md:border-r print:hidden"
      >
        <div className="border-line flex items-center gap-1 border-b px-2 py-1.5 md:hidden">
          <MobileMenu />
          <div className="min-w-0 flex-1">
            <WorkspaceSwitch />
          </div>
          <CompactPaletteButton />
          <PersonMenu isCompact />
        </div>
        <div className="hidden h-full flex-col gap-4 overflow-y-auto p-3 md:flex rail:gap-3 rail:px-1.5">
          <Brand />
          <WorkspaceSwitch />
          <PaletteButton />
          <Navigation />
          <div className="mt-auto">
            <PersonMenu />
          </div>
        </div>
      </header>
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className={classNames(
          "min-w-0 outline-none",
          fillsWindow ? "flex min-h-0 flex-1 flex-col md:h-dvh" : "px-4 py-6 sm:px-8 sm:py-8",
        )}
      >
        <div className={fillsWindow ? "flex min-h-0 flex-1 flex-col" : "mx-auto max-w-6xl"}>
          <SubscriptionBanner className={fillsWindow ? "p-3 pb-0" : "mb-6"} />
          {children}
        </div>
      </main>
      <Palette />
      <OpenUndoDialog />
      <Keys />
    </div>
  );
}

/** The open page of a workspace. */
function useOpenPage(): WorkspacePage | undefined {
  const [path] = useLocation();
  const [, name] = /^\/w\/[^/]+\/([^/]+)$/.exec(path) ?? [];
  return workspacePages.find((page) => page.path === name);
}

/** On navigation, scrolls to the top and moves the focus of screen readers there. */
function useFocusOnNavigation(main: RefObject<HTMLElement | null>): void {
  const [path] = useLocation();
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [path, main]);
}

export const Brand = () => (
  <Link
    href="/"
    className="flex min-h-9 items-center gap-2 self-start rounded-md px-2 font-semibold tracking-tight rail:justify-center rail:self-center rail:px-0"
  >
    <Logo />
    <span className="rail:sr-only">Commonplace</span>
  </Link>
);

/** The logo: an open book. */
export const Logo = () => (
  <svg viewBox="0 0 24 24" className="text-accent size-6" aria-hidden="true" focusable="false">
    <path
      d="M12 6.5C10 4.9 7 4.5 3.5 4.7v13.2c3.5-.2 6.5.2 8.5 1.8 2-1.6 5-2 8.5-1.8V4.7C17 4.5 14 4.9 12 6.5ZM12 6.5v13.2M6.3 8.7c1.2 0 2.2.2 3.1.6M6.3 12c1.2 0 2.2.2 3.1.6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);

const headingClass = "text-quiet px-2.5 pb-1 text-xs font-medium rail:sr-only";
/** In a menu of icons a line takes the place of a heading. */
const groupClass = "rail:border-line rail:border-t rail:pt-2";

/** One of these makes an administrator; others only look at what the pages show. */
const administratorActions = ["workspace.change", "teams.manage"] as const;

/** Links to the pages of the open workspace that the person may open, and to the operator's pages. */
function Navigation({ onNavigate }: { onNavigate?: () => void }) {
  const [path] = useLocation();
  const { memberships } = useSession();
  const { is_operator } = usePerson();
  const workspace = useMembership() ?? defaultWorkspace(memberships);
  const workspaceId = workspace?.workspace_id;
  const entries = workspacePages
    .filter(({ action, menuEntry }) => menuEntry && workspace?.actions.includes(action))
    .map(({ path: page, menuEntry, fillsWindow = false }) => ({
      href: `/w/${workspaceId}/${page}`,
      isLibrary: fillsWindow,
      ...menuEntry,
    }));
  const library = entries.filter(({ isLibrary }) => isLibrary);
  const administration = entries.filter(({ isLibrary }) => !isLibrary);
  const isAdministrator = administratorActions.some((action) => workspace?.actions.includes(action));
  const isInvoice = path.startsWith(`/w/${workspaceId}/invoices/`);
  const link = (href: string, name: string | undefined, icon: IconName | undefined) => (
    <li key={href}>
      <Link
        href={href}
        onClick={onNavigate}
        aria-current={path === href || (isInvoice && href.endsWith("/billing")) ? "page" : undefined}
        className="text-quiet hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent flex min-h-11 items-center gap-2.5 rounded-md px-2.5 font-medium md:min-h-8.5 rail:flex-col rail:justify-center rail:gap-0.5 rail:px-0 rail:py-1 rail:text-center rail:text-[0.6875rem] rail:leading-tight"
      >
        {icon && <Icon name={icon} className="size-4.5" />}
        {name}
      </Link>
    </li>
  );
  return (
    <nav aria-label="Pages" className="grid gap-4 rail:gap-2">
      {library.length > 0 && (
        <ul className="grid gap-0.5">{library.map(({ href, name, icon }) => link(href, name, icon))}</ul>
      )}
      {administration.length > 0 && (
        <div className={groupClass}>
          {library.length > 0 && <p className={headingClass}>{isAdministrator ? "Administration" : "Workspace"}</p>}
          <ul className="grid gap-0.5">{administration.map(({ href, name, icon }) => link(href, name, icon))}</ul>
        </div>
      )}
      {is_operator && (
        <div className={groupClass}>
          <p className={headingClass}>Operator</p>
          <ul className="grid gap-0.5">
            {link("/workspaces", "Workspaces", "workspaces")}
            {link("/people", "People", "people")}
            {link("/account-log", "Account log", "accountLog")}
            {link("/instance", "Instance", "instance")}
          </ul>
        </div>
      )}
    </nav>
  );
}

function MobileMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const hasNavigated = useRef(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger asChild>
        <IconButton label="Menu">
          <Icon name="menu" />
        </IconButton>
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="bg-veil animate-appear fixed inset-0 z-30 md:hidden" />
        <Dialog.Content
          aria-describedby={undefined}
          // After a navigation the page has the focus; otherwise the button gets it back.
          onCloseAutoFocus={(event) => {
            if (hasNavigated.current) event.preventDefault();
            hasNavigated.current = false;
          }}
          className="bg-ground border-line shadow-high animate-slide fixed inset-y-0 left-0 z-30 flex w-72 max-w-[85vw] flex-col gap-4 overflow-y-auto border-r p-3 outline-none md:hidden"
        >
          <div className="flex items-center justify-between">
            <Brand />
            <Dialog.Close asChild>
              <IconButton label="Close menu">
                <Icon name="close" className="size-4" />
              </IconButton>
            </Dialog.Close>
          </div>
          <Dialog.Title className="sr-only">Menu</Dialog.Title>
          <Navigation
            onNavigate={() => {
              hasNavigated.current = true;
              setIsOpen(false);
            }}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Explains on every page why calls with the workspace's keys are refused. */
function SubscriptionBanner({ className }: { className: string }) {
  if (useMembership()?.subscription !== "inactive") return null;
  return (
    <div className={className}>
      <Notice tone="warn">
        <p>
          <strong className="font-semibold">Subscription inactive.</strong> API requests with this workspace’s keys are
          refused until the operator reactivates the subscription. Your data is kept.
        </p>
      </Notice>
    </div>
  );
}
