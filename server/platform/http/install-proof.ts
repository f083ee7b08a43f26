import type { Secrets } from '../database/secrets.ts'

/** Holds the question in a request to `/health/live`, and the proof in its answer. */
export const INSTALL_HEADER = 'tributary-install'

/**
 * Returns what only a process with the install's key can answer to a question asked at this host, so that neither
 * another server nor a kept answer passes for this install; null for what is no question of ours.
 */
export const installProof = (secrets: Secrets, hostname: string, question: string): string | null =>
  /^[\w-]{20,64}$/.test(question) ? secrets.derive('install', `${hostname} ${question}`) : null

/** Longest name that a certificate or the DNS knows. */
const MOST_LENGTH = 253

/** Returns the name in a Host header: in lower case, without a port and the dot of the root. */
export const hostnameOf = (header: string | undefined): string =>
  (header ?? '')
    .slice(0, MOST_LENGTH + 10)
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
