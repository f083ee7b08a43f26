/** Answers whether the password was given. */
type Ask = (why: string) => Promise<boolean>

let ask: Ask | null = null
let asking: Promise<boolean> | null = null

/** Says who asks for the password; null while no screen is there to. */
export function askBy(next: Ask | null) {
  ask = next
}

/** Asks for the password, once for all calls that were refused for want of it meanwhile. */
export function askForPassword(why: string): Promise<boolean> {
  if (!ask) return Promise.resolve(false)
  asking ??= ask(why).finally(() => {
    asking = null
  })
  return asking
}
