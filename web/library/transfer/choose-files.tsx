// Buttons that choose the files to import, or a folder.
import { type ButtonVariant, buttonClass } from "../../components/button.tsx";
import { hasMouse } from "../selection/select.ts";
import type { Given } from "./open-transfer.ts";

interface ChooseProps {
  readonly label: string;
  readonly variant?: ButtonVariant;
  readonly isFolder?: boolean;
  readonly onChoose: (files: readonly Given[]) => void;
}

const Choose = ({ label, variant = "plain", isFolder = false, onChoose }: ChooseProps) => (
  <label
    className={`${buttonClass(variant)} cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2`}
  >
    {label}
    <input
      type="file"
      multiple
      {...(isFolder && { webkitdirectory: "" })}
      className="sr-only"
      onChange={({ target }) => {
        if (target.files && target.files.length > 0) onChoose([...target.files]);
        // The same file can be chosen again, once it was changed.
        target.value = "";
      }}
    />
  </label>
);

/** Browsers on phones may not know folders. */
const knowsFolders = "webkitdirectory" in HTMLInputElement.prototype;

/** The first thing to do in the dialog. */
export const ChooseFirst = ({ onChoose }: Pick<ChooseProps, "onChoose">) => (
  <div className="border-edge grid justify-items-center gap-3 rounded-md border border-dashed px-4 py-5 text-center">
    {hasMouse && <p className="text-quiet">Drop files or a folder here, or choose them:</p>}
    <div className="flex flex-wrap justify-center gap-2">
      <Choose label="Choose files" variant="primary" onChoose={onChoose} />
      {knowsFolders && <Choose label="Choose folder" isFolder onChoose={onChoose} />}
    </div>
  </div>
);

/** Another choice, once something is chosen. */
export const ChooseOthers = ({ onChoose }: Pick<ChooseProps, "onChoose">) => (
  <Choose label="Choose other files" onChoose={onChoose} />
);
