/** Returns the domain of whatever a person pastes: a full URL or a bare name. */
export function toDomain(typed: string) {
  const text = typed.trim().toLowerCase()
  return URL.parse(text.includes('://') ? text : '')?.hostname || text
}

/** Completes a destination that was typed as in an address bar; a single word is a mistake. */
export const withScheme = <V extends { destinationUrl: string }>(values: V): V => {
  const destination = values.destinationUrl.trim()
  const beginsWithDomain = /^[^\s/?#:@]+\.[^\s/?#:@]/.test(destination)
  return beginsWithDomain ? { ...values, destinationUrl: `https://${destination}` } : values
}
