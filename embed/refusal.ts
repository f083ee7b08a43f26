/** Runs an action that a browser may refuse, and ignores the refusal. */
export function ignoringRefusal<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch {
    return
  }
}
