process.env.RUNS ??= '25'
await import('./claims-lives.test.ts')
