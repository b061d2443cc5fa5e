// Whether something is unsaved, and where it is kept until it is saved.
export function SaveStatus({ isChanged, isKept }: { isChanged: boolean; isKept: boolean }) {
  if (!isChanged) return null;
  return isKept ? (
    <p className="truncate" title="Unsaved changes are kept in this browser until you save or discard them.">
      Unsaved<span className="hidden sm:inline">. Draft kept in this browser</span>
    </p>
  ) : (
    <p className="text-warn">Unsaved. This browser can’t store your changes, so save before you leave.</p>
  );
}
