import { queue } from '../../platform/jobs/queue.ts'

/** A request to mail a link, made with only an e-mail. `network` is the requester's. */
export type LinkRequest = { id: string; kind: 'reset' | 'set-up'; email: string; network: string }
export const linkRequestQueue = queue<LinkRequest>('link-request')
