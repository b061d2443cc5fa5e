// A refusal of an administrative act, told to the operator in one line. The interface's own refusals are `ApiError`.

export class Refusal extends Error {
  override name = "Refusal";
}
