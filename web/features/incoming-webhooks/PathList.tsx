import { type Json, listLeaves } from '#contract/payload-paths.ts'
import { firstItem } from './sample.ts'

/** The sample's paths as a datalist for path fields: of a rule with a list those in its first item, then all others. */
export function PathList({ id, sample, each = '' }: { id: string; sample: unknown; each?: string }) {
  const body = sample as Json
  const item = firstItem(body, each)
  const inItem = item ? listLeaves(item.source.item) : []
  const inBody = each.trim() ? listLeaves(body).map((leaf) => ({ ...leaf, path: `$.${leaf.path}` })) : []
  return (
    <datalist id={id}>
      {[...inItem, ...inBody].map(({ path, value }) => (
        <option key={path} value={path} label={value} />
      ))}
    </datalist>
  )
}
