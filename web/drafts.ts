/** What was typed into a form when its session ended: into the one of this name at this address, or in a dialog about something. */
type Draft = Place & { userId: string; values: Record<string, unknown>; untold?: boolean }
type Place = { form: string; at: string }

const KEY = 'tributary.drafts'
/** Where work that a reload cuts short keeps what is left of it. */
export const LEFT = 'tributary.left'

/** The forms on the page, each of which says what of it is to be kept, or null. */
const forms = new Set<() => Draft | null>()

/** Has a form asked when the session ends; answers how to have it asked no more. */
export function holdDraft(draft: () => Draft | null) {
  forms.add(draft)
  return () => void forms.delete(draft)
}

/** Keeps, for this tab alone, what is typed: whoever signs in again finds it where it was. */
export function keepDrafts() {
  const drafts = [...forms].map((draft) => draft()).filter((draft) => draft !== null)
  if (drafts.length > 0) write(drafts)
}

/** What this user had typed into this form here. It is handed out once. */
export function takeDraft(userId: string, { form, at }: Place): Record<string, unknown> | null {
  const drafts = read()
  const mine = drafts.find((draft) => draft.userId === userId && draft.at === at && draft.form === form)
  if (!mine) return null
  write(drafts.filter((draft) => draft !== mine))
  return mine.values
}

/** The dialog that what was typed into waits for, which is gone from the page; it is said once. */
export function dialogToTell(): string | undefined {
  const drafts = read()
  const untold = drafts.find((draft) => draft.untold)
  if (untold) write(drafts.map(({ untold: _, ...draft }) => draft))
  return untold?.form
}

/** Drops what others have typed in this tab, or with nobody signed in all of it. */
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
    // Nothing was kept.
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
    // A storage that refuses keeps nothing: it is typed again.
  }
}
