import type { IncomingMessage, ServerResponse } from 'node:http'

/** Answers a request around the router, where it knows how to; false where it does not, and has done nothing. */
export type QuickAnswer = (request: IncomingMessage, response: ServerResponse) => boolean
