import { reservedSlugs } from '#contract/slugs.ts'

/** Returns an address made from an account's name, such as 'harbor-analytics'; empty if the name has no letters for it. */
export function slugFor(name: string | null) {
  const slug = (name ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '')
  return slug.length < 3 || reservedSlugs.includes(slug) ? '' : slug
}
