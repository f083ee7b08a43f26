import { INTERRUPTED_KEY } from '../../session.ts'

/** The partners not added yet, and the progress so far. */
type Interrupted<V = { people: string }> = { accountId: string; values: V; done: number; total: number }

/** Saves the rest in this tab while partners are being added, so that it survives a reload. */
export function keepInterrupted(interrupted: Interrupted) {
  try {
    sessionStorage.setItem(INTERRUPTED_KEY, JSON.stringify(interrupted))
  } catch {
    // Storage may refuse; the list of partners still shows who was added.
  }
}

/** Returns the saved rest once, and only to the account it belongs to. */
export function takeInterrupted(accountId: string): Interrupted | null {
  try {
    const kept: Interrupted | null = JSON.parse(sessionStorage.getItem(INTERRUPTED_KEY) ?? 'null')
    if (kept?.accountId !== accountId) return null
    sessionStorage.removeItem(INTERRUPTED_KEY)
    return kept
  } catch {
    return null
  }
}
