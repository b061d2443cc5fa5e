import type { Operation } from "./operation.ts";
/** An operation's call, apart from headers. */
export interface OutgoingCall {
    readonly method: string;
    readonly url: string;
    readonly body: string | undefined;
}
/** Arguments that are undefined are left out. @throws TypeError for an argument that the operation can not send */
export declare function buildCall(baseUrl: string, operation: Operation, args: object): OutgoingCall;
