/** The names of its kinds of objects in the activity. */
export const subjects = { 'api-key': 'API keys' }

/** Its events in the activity. */
export const acts = {
  'api-key': {
    created: 'API key added',
    rotated: 'API key rotated',
    narrowed: 'API key can no longer read',
    deleted: 'API key deleted',
  },
}
