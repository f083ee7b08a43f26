/** Its events in the activity. */
export const acts = { 'promotion-code': { added: 'Promotion code added', removed: 'Promotion code removed' } }
