// Talking to the server. A failed connection and a refusal are different things, and both are told apart here.

export class Offline extends Error {}

export class Refusal extends Error {
  constructor(status, body) {
    super(body.message || "The server did not accept this.");
    this.status = status;
    this.code = body.code || "";
    this.permanent = body.permanent !== false;
  }
}

function csrfToken() {
  const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return found ? decodeURIComponent(found[1]) : "";
}

// Resolves to the answer's JSON; throws Offline where trying again later can help without the person, else Refusal.
export async function send(method, url, body, { keepalive = false } = {}) {
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      redirect: "error",
      keepalive,
    });
  } catch {
    throw new Offline("No connection.");
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new Offline("The server gave no readable answer.");
  }
  if (response.ok) return answer;
  if (response.status >= 500 || response.status === 429) throw new Offline("The server is not answering.");
  throw new Refusal(response.status, answer);
}
