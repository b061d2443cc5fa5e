// A field for a new password.
import { PasswordField } from "../../components/index.ts";
import { limits } from "../../limits.ts";

/** Shows the required length, and lets a password manager suggest one. */
export const NewPasswordField = ({
  label = "Password",
  value,
  onChange,
}: {
  label?: string;
  value: string;
  onChange: (value: string) => void;
}) => (
  <PasswordField
    label={label}
    hint={`At least ${limits.passwordLengthMin} characters. A short sentence is easy to remember and hard to guess.`}
    autoComplete="new-password"
    required
    minLength={limits.passwordLengthMin}
    maxLength={limits.passwordLengthMax}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);
