// A deleted snippet, to be read before it is restored.
import { useConsoleQuery } from "../../api.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy.tsx";
import { Icon } from "../../components/icons.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "../../components/states.tsx";
import { toastError } from "../../components/toast.tsx";
import { useLibrary } from "../library-context.tsx";
import { SnippetText } from "../read/text.tsx";
import { useActs } from "../selection/use-acts.ts";

export interface TrashedSnippetProps {
  /** Undefined while none is open. */
  readonly id: string | undefined;
  readonly onBack: (() => void) | undefined;
}

export default function TrashedSnippet({ id, onBack }: TrashedSnippetProps) {
  const { mayWrite, change } = useLibrary();
  const acts = useActs();
  const { data, error, refetch } = useConsoleQuery("getLibraryTrashedSnippet", {
    query: { id },
    isEnabled: id !== undefined,
  });
  if (id === undefined)
    return (
      <div className="grid flex-1 place-content-center">
        <EmptyState icon="trash" title="Deleted snippets">
          Select a snippet to read it.
        </EmptyState>
      </div>
    );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <div className="p-6">
        <Loading label="Loading snippet">
          <Skeleton lines={6} />
        </Loading>
      </div>
    );
  const { title, snippet_note, variations, team_id } = data.data;
  const restore = () => {
    change({ snippetId: undefined }, "replace");
    acts.restore([{ id, title }]).catch(toastError);
  };
  return (
    <article aria-labelledby="trashed-title" className="flex min-h-0 flex-1 flex-col">
      <div className="mx-auto flex w-full max-w-4xl items-center gap-1.5 px-3 pt-3 pb-2 md:px-6">
        {onBack && (
          <IconButton label="Back to the list" onClick={onBack}>
            <Icon name="back" />
          </IconButton>
        )}
        <p className="text-quiet min-w-0 flex-1">In the trash</p>
        {mayWrite(team_id) && (
          <Button size="small" variant="primary" onClick={restore}>
            Restore
          </Button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section aria-label="Text" tabIndex={0} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
        <div className="mx-auto grid max-w-4xl gap-4 px-4 pt-1 pb-10 md:px-6">
          <h2 id="trashed-title" className="text-xl font-semibold tracking-tight wrap-anywhere">
            <bdi>{title}</bdi>
          </h2>
          {snippet_note && <p className="text-quiet wrap-anywhere whitespace-pre-wrap">{snippet_note}</p>}
          {variations.map(({ id: variationId, name, content_type, content }) => (
            <div key={variationId} className="grid min-w-0 gap-2">
              <div className="flex items-center justify-between gap-2">
                {variations.length > 1 && <h3 className="text-quiet min-w-0 truncate font-medium">{name}</h3>}
                {content !== null && (
                  <span className="ml-auto">
                    <CopyButton text={content} />
                  </span>
                )}
              </div>
              {content === null ? (
                <p className="text-quiet">This text is too long to show here. Restore the snippet to read it.</p>
              ) : (
                <SnippetText text={content} contentType={content_type} isFilledIn={false} />
              )}
            </div>
          ))}
        </div>
      </section>
    </article>
  );
}
