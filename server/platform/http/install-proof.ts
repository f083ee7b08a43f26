import type { Install } from '../services.ts'

/** Holds the question in a request to `/health/live`, and the proof in its answer. */
export const INSTALL_HEADER = 'tributary-install'

/**
 * Returns the answer of this install to a question asked at a host; null for anything but a question of ours. Neither
 * another server nor a kept answer passes for this install, nor a copy of it with the same key at another APP_URL.
 */
export const installProof = ({ config, secrets }: Install, hostname: string, question: string): string | null =>
  /^[\w-]{20,64}$/.test(question) ? secrets.derive('install', `${hostname} ${config.appUrl} ${question}`) : null

/** Longest name that a certificate or the DNS knows. */
const MOST_LENGTH = 253

/** Returns the name in a Host header: in lower case, without a port and the dot of the root. */
export const hostnameOf = (header: string | undefined): string =>
  (header ?? '')
    .slice(0, MOST_LENGTH + 10)
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
