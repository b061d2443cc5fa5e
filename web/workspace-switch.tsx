// Shows the open workspace and switches to others.
import { DropdownMenu } from "radix-ui";
import { type ReactNode, useId, useState } from "react";
import { Link, useLocation } from "wouter";
import { defaultWorkspace } from "./address.ts";
import { classNames } from "./components/class-names.ts";
import { Dialog } from "./components/dialog.tsx";
import { TextField } from "./components/field.tsx";
import { Icon } from "./components/icons.tsx";
import { MenuPanel, menuItemClass } from "./components/menu.tsx";
import { startPage, workspacePages } from "./routes.tsx";
import { type Membership, useMembership, useSession } from "./workspace.tsx";

/** A longer list gets a search field. */
const listedMax = 8;
const foundMax = 50;

export function WorkspaceSwitch() {
  const { memberships } = useSession();
  const membership = useMembership() ?? defaultWorkspace(memberships);
  if (!membership) return null;
  const name = membership.workspace_name;
  const isOnly = memberships.every(({ workspace_id }) => workspace_id === membership.workspace_id);
  if (isOnly)
    return (
      <p title={name} className="truncate px-2.5 py-2 font-medium rail:sr-only">
        {name}
      </p>
    );
  return memberships.length > listedMax ? <WorkspaceSearch name={name} /> : <WorkspaceMenu name={name} />;
}

const triggerClass =
  "border-line bg-surface hover:bg-hover shadow-low flex min-h-11 w-full items-center justify-between gap-2 rounded-md border px-2.5 text-left font-medium md:min-h-9 rail:justify-center rail:px-0";

const Trigger = ({ name }: { name: string }) => (
  <>
    <span className="sr-only">Workspace: </span>
    <span className="min-w-0 flex-1 truncate rail:sr-only" title={name}>
      {name}
    </span>
    <Icon name="sort" className="text-quiet size-4" />
  </>
);

/** Links to the same page of another workspace, if the person may open it there. */
function useWorkspaceLink(): (membership: Membership) => string {
  const [path] = useLocation();
  return (membership) => {
    const { workspace_id, actions } = membership;
    const page = workspacePages.find((candidate) => candidate.menuEntry && path.endsWith(`/${candidate.path}`));
    const isOpen = page !== undefined && actions.includes(page.action);
    return `/w/${workspace_id}/${isOpen ? page.path : startPage(membership)}`;
  };
}

function WorkspaceMenu({ name }: { name: string }) {
  const { memberships } = useSession();
  const linkTo = useWorkspaceLink();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={triggerClass}>
        <Trigger name={name} />
      </DropdownMenu.Trigger>
      <MenuPanel align="start" className="w-64">
        {memberships.map((membership) => (
          <DropdownMenu.Item key={membership.workspace_id} asChild className={menuItemClass}>
            <Link href={linkTo(membership)}>
              <WorkspaceName of={membership} />
            </Link>
          </DropdownMenu.Item>
        ))}
      </MenuPanel>
    </DropdownMenu.Root>
  );
}

function WorkspaceName({ of: { workspace_id, workspace_name } }: { of: Membership }): ReactNode {
  const isOpen = workspace_id === useMembership()?.workspace_id;
  return (
    <>
      <span className="min-w-0 flex-1 truncate" title={workspace_name}>
        {workspace_name}
      </span>
      {isOpen && (
        <>
          <Icon name="check" className="text-accent size-4" />
          <span className="sr-only">(current)</span>
        </>
      )}
    </>
  );
}

function WorkspaceSearch({ name }: { name: string }) {
  const { memberships } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const [text, setText] = useState("");
  const linkTo = useWorkspaceLink();
  const [, navigate] = useLocation();
  const listId = useId();
  const term = text.trim().toLowerCase();
  const matches = memberships.filter(({ workspace_name }) => workspace_name.toLowerCase().includes(term));
  const listed = matches.slice(0, foundMax);
  const close = () => {
    setIsOpen(false);
    setText("");
  };
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setIsOpen(true)} className={triggerClass}>
        <Trigger name={name} />
      </button>
      <Dialog
        open={isOpen}
        onOpenChange={(next) => (next ? setIsOpen(true) : close())}
        title="Switch workspace"
        size="small"
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const [first] = listed;
            if (!first) return;
            close();
            navigate(linkTo(first));
          }}
        >
          <TextField
            label="Workspace name"
            type="search"
            autoComplete="off"
            aria-controls={listId}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </form>
        <p role="status" className="text-quiet -mt-2 text-[0.8125rem]">
          {matches.length === 0
            ? "No matching workspaces."
            : matches.length > foundMax
              ? `Showing the first ${foundMax} of ${matches.length}.`
              : `Showing ${matches.length} of ${memberships.length}.`}
        </p>
        <ul id={listId} className="-mx-2 max-h-80 overflow-y-auto">
          {listed.map((membership) => (
            <li key={membership.workspace_id}>
              <Link
                href={linkTo(membership)}
                onClick={close}
                className={classNames(menuItemClass, "hover:bg-hover outline-offset-[-2px] focus-visible:outline-2")}
              >
                <WorkspaceName of={membership} />
              </Link>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
