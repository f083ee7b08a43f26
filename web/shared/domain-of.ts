/** Returns the domain of whatever a person pastes: a full URL or a bare name. */
export function domainOf(typed: string) {
  const text = typed.trim().toLowerCase()
  return URL.parse(text.includes('://') ? text : '')?.hostname || text
}
