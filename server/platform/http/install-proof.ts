import type { Install } from '../services.ts'

/** Holds the question in a request to `/health/live`, and the proof in its answer. */
export const INSTALL_HEADER = 'tributary-install'

/**
 * Returns this install's response to a challenge at a host; null for anything but our own challenge. Neither another
 * server, a stored response, nor a copy with the same key at another APP_URL passes for this install.
 */
export const installProof = ({ config, secrets }: Install, hostname: string, question: string): string | null =>
  /^[\w-]{20,64}$/.test(question) ? secrets.derive('install', `${hostname} ${config.appUrl} ${question}`) : null

/** Longest name that a certificate or the DNS knows. */
const MOST_LENGTH = 253

/** Returns the name in a Host header: in lower case, without a port and the dot of the root. */
export const parseHostname = (header: string | undefined): string =>
  (header ?? '')
    .slice(0, MOST_LENGTH + 10)
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
