import { LEFT } from '../../drafts.ts'

/** What of many partners was not added yet, and how far it had come. */
type Interrupted<V = { people: string }> = { accountId: string; values: V; done: number; total: number }

/** Kept in this tab while partners are added, so that after a reload the rest is there to be added. */
export function keepInterrupted(interrupted: Interrupted) {
  try {
    sessionStorage.setItem(LEFT, JSON.stringify(interrupted))
  } catch {
    // A storage that refuses keeps nothing: the list of partners says who was added.
  }
}

/** Hands it out once, to the account whose partners they are. */
export function takeInterrupted(accountId: string): Interrupted | null {
  try {
    const kept: Interrupted | null = JSON.parse(sessionStorage.getItem(LEFT) ?? 'null')
    if (kept?.accountId !== accountId) return null
    sessionStorage.removeItem(LEFT)
    return kept
  } catch {
    return null
  }
}
