/** Returns the entry of the list that matches a host: equal, or with `*` for any beginning or end. */
export const bannedBy = (hosts: string[], host: string): string | undefined =>
  hosts.find((entry) => {
    const startsOpen = entry.startsWith('*')
    const endsOpen = entry.endsWith('*')
    const middle = entry.slice(startsOpen ? 1 : 0, endsOpen ? -1 : undefined)
    if (startsOpen && endsOpen) return host.includes(middle)
    // `*.coupons.example` includes coupons.example itself
    if (startsOpen) return host.endsWith(middle) || (middle.startsWith('.') && host === middle.slice(1))
    return endsOpen ? host.startsWith(middle) : host === middle
  })
