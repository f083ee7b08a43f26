import { queue } from '../../platform/jobs/queue.ts'

/** Somebody who gave nothing but an e-mail asks for a link to be mailed there. `network` is where they ask from. */
export type LinkRequest = { id: string; kind: 'reset' | 'set-up'; email: string; network: string }
export const linkRequestQueue = queue<LinkRequest>('link-request')
