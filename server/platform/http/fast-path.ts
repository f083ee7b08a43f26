import type { IncomingMessage, ServerResponse } from 'node:http'

/** Handles a request without the router if it can; otherwise returns false without having done anything. */
export type FastPathHandler = (request: IncomingMessage, response: ServerResponse) => boolean
