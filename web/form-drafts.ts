/**
 * Values typed into a form when its session ended: in the form of this name at this address, or in a dialog about
 * something.
 */
type Draft = Place & { userId: string; values: Record<string, unknown>; untold?: boolean }
type Place = { form: string; at: string }

const KEY = 'tributary.drafts'
/** Storage key for the rest of work that a reload cuts short. */
export const LEFT = 'tributary.left'

/** The forms on the page, each returning its draft or null. */
const forms = new Set<() => Draft | null>()

/** Registers a form to be saved when the session ends; returns the function that unregisters it. */
export function holdDraft(draft: () => Draft | null) {
  forms.add(draft)
  return () => void forms.delete(draft)
}

/** Saves typed values for this tab only, so the user finds them again after signing in. */
export function keepDrafts() {
  const drafts = [...forms].map((draft) => draft()).filter((draft) => draft !== null)
  if (drafts.length > 0) write(drafts)
}

/** Returns this user's draft of this form here, once. */
export function takeDraft(userId: string, { form, at }: Place): Record<string, unknown> | null {
  const drafts = read()
  const mine = drafts.find((draft) => draft.userId === userId && draft.at === at && draft.form === form)
  if (!mine) return null
  write(drafts.filter((draft) => draft !== mine))
  return mine.values
}

/** Returns the dialog a draft waits for if it is no longer on the page; once only. */
export function dialogToTell(): string | undefined {
  const drafts = read()
  const untold = drafts.find((draft) => draft.untold)
  if (untold) write(drafts.map(({ untold: _, ...draft }) => draft))
  return untold?.form
}

/** Deletes other users' drafts in this tab, or all of them if no user is signed in. */
export function forgetDrafts({ but: userId }: { but?: string } = {}) {
  const drafts = read()
  const kept = drafts.filter((draft) => draft.userId === userId)
  if (kept.length < drafts.length) write(kept)
  if (userId === undefined) forgetLeft()
}

function forgetLeft() {
  try {
    sessionStorage.removeItem(LEFT)
  } catch {
    // There were no drafts.
  }
}

function read(): Draft[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
  } catch {
    return []
  }
}

function write(drafts: Draft[]) {
  try {
    if (drafts.length > 0) sessionStorage.setItem(KEY, JSON.stringify(drafts))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Storage refused: the values have to be typed again.
  }
}
