process.env.RUNS ??= '60'
await import('./preview-lives.test.ts')
