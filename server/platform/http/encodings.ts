/** Returns the compressed forms that an `Accept-Encoding` accepts, smallest first. */
export function acceptedEncodings(header: string | string[] | undefined) {
  const accepted = String(header ?? '')
  const takes = (name: string) =>
    new RegExp(`(^|[,\\s])(${name}|\\*)\\s*(,|$|;(?!\\s*q=0(\\.0*)?\\s*(,|$)))`, 'i').test(accepted)
  return (['br', 'gzip'] as const).filter(takes)
}
