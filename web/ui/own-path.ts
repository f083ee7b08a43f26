/** An address of this server without its origin: the screens may be open under another name of it. */
export function ownPath(address: string) {
  const { pathname, search } = new URL(address)
  return pathname + search
}
