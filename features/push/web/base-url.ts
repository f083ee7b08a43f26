/** Returns the base URL for pushed data. */
export const baseUrl = () => `${location.origin}/api/v1`
