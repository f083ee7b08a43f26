/** Resolves to whether the password was given. */
type Ask = (why: string) => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null

/** Sets the prompt for the password; null while no screen can show one. */
export function setPasswordPrompt(next: Ask | null) {
  ask = next
}

/** Prompts for the password once for all calls that were refused without it. */
export function requestPassword(why: string): Promise<boolean> {
  if (!ask) return Promise.resolve(false)
  asking ??= ask(why).finally(() => {
    asking = null
  })
  return asking
}
