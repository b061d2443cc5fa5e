// The public API of the package.
export { type ChangesPage, Commonplace, type CommonplaceOptions } from "./client.ts";
export {
  AuthenticationError,
  CommonplaceError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InsufficientScopeError,
  InvalidRequestError,
  KeyBudgetExceededError,
  KeyExpiredError,
  NetworkNotAllowedError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
export type { Fetch } from "./exchange.ts";
export type {
  Envelope,
  Operation,
  RateLimit,
  ReceivedFile,
  RequestOptions,
  ResponseInfo,
  Usage,
  UsageDeducted,
} from "./operation.ts";
export type * from "./operations.generated.ts";
export { operations } from "./operations.generated.ts";
