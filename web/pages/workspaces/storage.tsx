// What a workspace stores and may store, and the operator's dialog to change its limit.
import { useState } from "react";
import { type DataOf, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Button,
  Card,
  FormDialog,
  formatCount,
  formatMebibytes,
  formatPercent,
  Loaded,
  RadioGroup,
  ShareBar,
  TextField,
  toast,
} from "../../components/index.ts";
import { textLimits as limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";

type Storage = DataOf<"getStorage">;

const bytesPerMebibyte = 2 ** 20;

export function StorageCard() {
  const { may } = useWorkspace();
  const storage = useConsoleQuery("getStorage");
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = may("subscription.change");
  return (
    <Card
      title="Storage"
      description="Includes snippets and all their versions, folders, tags, and everything in the trash."
      actions={
        mayChange &&
        storage.data && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Change storage limit
          </Button>
        )
      }
    >
      <Loaded query={storage}>
        {({ data }) => (
          <>
            <StorageState storage={data} />
            {isOpen && <StorageDialog storage={data} onClose={() => setIsOpen(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function StorageState({ storage: { bytes, bytes_max } }: { storage: Storage }) {
  const share = bytes_max === 0 ? 1 : bytes / bytes_max;
  return (
    <div className="grid gap-2">
      <ShareBar share={share} what="of the storage used" />
      <p className="text-quiet flex flex-wrap justify-between gap-x-4 text-[0.8125rem] tabular-nums">
        <span className="inline-block first-letter:uppercase">
          {formatMebibytes(bytes)} of {formatMebibytes(bytes_max)} used
        </span>
        <span>{formatPercent(share)}</span>
      </p>
      {share >= 1 && (
        <p className="bg-warn-soft text-warn rounded-md px-3 py-2">
          Storage is full. Delete snippets and empty the trash, or ask the operator of this service for more storage.
        </p>
      )}
    </div>
  );
}

const choices = [
  { value: "default", label: "Default limit", hint: "Set with COMMONPLACE_STORAGE_MIB." },
  { value: "own", label: "Custom limit", hint: "Applies immediately. Data that is already stored is kept." },
] as const;

function StorageDialog({ storage, onClose }: { storage: Storage; onClose: () => void }) {
  const [choice, setChoice] = useState<"default" | "own">(storage.is_own_limit ? "own" : "default");
  const [limit, setLimit] = useState(formatCount(Math.round(storage.bytes_max / bytesPerMebibyte)));
  const [isSubmitted, setIsSubmitted] = useState(false);
  const change = useConsoleMutation("putStorage", {
    onSuccess: () => {
      toast("Storage limit changed");
      onClose();
    },
  });
  const mebibytes = /^[\d, ]{1,20}$/.test(limit) ? Number(limit.replaceAll(/[, ]/g, "")) : Number.NaN;
  const isInvalid =
    choice === "own" && (limit.trim() === "" || Number.isNaN(mebibytes) || mebibytes > limits.storageMebibytesMax);
  const submit = () => {
    setIsSubmitted(true);
    if (!isInvalid) change.mutate({ body: { mebibytes: choice === "own" ? mebibytes : null } });
  };
  return (
    <FormDialog
      title="Change storage limit"
      submitLabel="Save limit"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <RadioGroup legend="Limit" name="storage" value={choice} onChange={setChoice} options={choices} />
      {choice === "own" && (
        <TextField
          label="Limit (MiB)"
          inputMode="numeric"
          autoComplete="off"
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
          error={
            isSubmitted && isInvalid
              ? `Enter a whole number up to ${formatCount(limits.storageMebibytesMax)}.`
              : undefined
          }
        />
      )}
    </FormDialog>
  );
}
