/** Where pushed data goes. */
export const baseUrl = () => `${location.origin}/api/v1`
