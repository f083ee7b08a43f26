/** The names of its kinds of objects, in the activity and among the events of outgoing webhooks. */
export const subjects = { 'embed-code': 'Embed code' }

/** Its events in the activity. */
export const acts = { 'embed-code': { updated: 'Embed code changed' } }

/** Its values in the activity, by field. */
export const values = {
  selectorType: { id: 'ID', class: 'Class', name: 'Name', default: 'Default', 'query-selector': 'Query selector' },
}
