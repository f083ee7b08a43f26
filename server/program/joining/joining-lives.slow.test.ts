process.env.RUNS ??= '40'
await import('./joining-lives.test.ts')
