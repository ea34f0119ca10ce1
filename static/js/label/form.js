// The questions: which one is lit, what is answered, what is missing. Speaks of answers in screen terms only.

export class Form {
  constructor(element, { onChange }) {
    this.element = element;
    this.onChange = onChange;
    this.questions = [...element.querySelectorAll("[data-question]")];
    this.groups = [...element.querySelectorAll("[data-group]")];
    this.stepper = element.querySelector("[data-stepper]");
    this.comment = element.elements.comment;
    this.flag = element.elements.flagged;
    this.current = this.groups[0];
    this.#buildStepper();
    element.addEventListener("change", () => this.#changed());
    element.addEventListener("input", () => this.#changed());
    element.addEventListener("focusin", (event) => {
      const group = event.target.closest("[data-group]");
      if (group) this.light(group);
    });
    // A pointer's choice moves on; arrow keys walk through the choices and must not.
    element.addEventListener("click", (event) => {
      const input = event.target.closest("input");
      if (input?.type === "radio" && event.detail > 0) this.moveOn(input.closest("[data-group]"));
    });
  }

  fill({ answers, comment, flagged }) {
    for (const input of this.element.querySelectorAll("[data-group] input")) input.checked = false;
    for (const question of this.questions) {
      const given = answers[question.dataset.question];
      for (const group of groupsOf(question)) this.#fillGroup(question, group, given);
    }
    this.comment.value = comment;
    this.flag.checked = flagged;
    this.element.classList.remove("was-sent");
    for (const question of this.questions) question.classList.remove("is-missing");
    this.#refresh();
  }

  read() {
    const answers = {};
    for (const question of this.questions) {
      if (this.#isOff(question)) continue;
      const given = this.#readQuestion(question);
      if (given !== undefined) answers[question.dataset.question] = given;
    }
    return { answers, comment: this.comment.value, flagged: this.flag.checked };
  }

  // How a choice is worded on screen.
  wordsOf(name, value) {
    const question = this.questions.find((each) => each.dataset.question === name);
    const input = [...(question?.querySelectorAll("input") ?? [])].find((each) => each.value === value);
    return input?.closest("label").querySelector(".choice__words").textContent ?? value;
  }

  // The groups that still need an answer, in order.
  missing() {
    return this.groups.filter((group) => {
      const question = group.closest("[data-question]");
      return "required" in question.dataset && !this.#isOff(question) && !isAnswered(group);
    });
  }

  markMissing() {
    const open = new Set(this.missing().map((group) => group.closest("[data-question]")));
    for (const question of this.questions) question.classList.toggle("is-missing", open.has(question));
  }

  light(group) {
    this.current = group;
    for (const each of this.groups) each.classList.toggle("is-current", each === group);
    for (const each of this.questions) each.classList.toggle("is-current", each.contains(group));
    this.#refreshStepper();
  }

  goTo(group) {
    this.light(group);
    const target = group.matches("textarea") ? group : (group.querySelector("input:checked") ?? group.querySelector("input"));
    target.focus({ preventScroll: true });
    group.scrollIntoView({ block: "nearest" });
  }

  goToFirst() {
    this.goTo(this.missing()[0] ?? this.#shown()[0]);
  }

  // After an answer: the next open question, else simply the next, else the submit button.
  moveOn(from) {
    const shown = this.#shown();
    const after = shown.slice(shown.indexOf(from) + 1);
    const next = after.find((group) => !isAnswered(group)) ?? this.missing()[0] ?? after[0];
    if (next) this.goTo(next);
    else this.element.querySelector("[data-submit]").focus({ preventScroll: true });
  }

  // Answers the lit group by a key; false where no choice has it.
  press(key) {
    const inputs = [...this.current.querySelectorAll("input")];
    const input = inputs.find((each) => each.dataset.key === key) ?? byPlace(inputs, key);
    if (!input || input.disabled) return false;
    const many = input.type === "checkbox";
    input.checked = many ? !input.checked : true;
    input.dispatchEvent(new Event("change", { bubbles: true }));
    if (many) input.focus({ preventScroll: true });
    else this.moveOn(this.current);
    return true;
  }

  #changed() {
    this.#refresh();
    this.onChange();
  }

  #refresh() {
    for (const question of this.questions) {
      const off = this.#isOff(question);
      question.classList.toggle("is-off", off);
      for (const control of question.querySelectorAll("input, textarea")) control.disabled = off;
      if (groupsOf(question).every(isAnswered)) question.classList.remove("is-missing");
    }
    const left = this.missing().length;
    this.element.querySelector("[data-left]").textContent = left ? `${left} to answer` : "";
    this.element.querySelector("[data-comment-button]").classList.toggle("has-comment", Boolean(this.comment.value));
    this.#refreshStepper();
  }

  #isOff(question) {
    const on = question.dataset.if;
    if (!on) return false;
    const asked = this.questions.find((each) => each.dataset.question === on);
    return !question.dataset.ifValues.split("|").includes(this.#readQuestion(asked));
  }

  #shown() {
    return this.groups.filter((group) => !this.#isOff(group.closest("[data-question]")));
  }

  #fillGroup(question, group, given) {
    if (question.dataset.kind === "text") {
      group.value = given ?? "";
      return;
    }
    const side = sideOf(group);
    const values = [side ? given?.[side] : given].flat().map(String);
    for (const input of group.querySelectorAll("input")) input.checked = values.includes(input.value);
  }

  #readQuestion(question) {
    const groups = groupsOf(question);
    if (question.dataset.kind === "text") return groups[0].value || undefined;
    const values = groups.map((group) => [...group.querySelectorAll("input:checked")].map((input) => input.value));
    if (question.dataset.kind === "multi") return values[0].length ? values[0] : undefined;
    if (groups.length === 1) return values[0][0];
    const sides = groups.map((group, place) => [sideOf(group), values[place][0]]).filter(([, value]) => value);
    return sides.length ? Object.fromEntries(sides) : undefined;
  }

  #buildStepper() {
    for (const [place, question] of this.questions.entries()) {
      const step = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = String(place + 1);
      button.setAttribute("aria-label", `Question ${place + 1}`);
      button.addEventListener("click", () => this.goTo(groupsOf(question)[0]));
      step.append(button);
      this.stepper.append(step);
    }
  }

  #refreshStepper() {
    for (const [place, step] of [...this.stepper.querySelectorAll("button")].entries()) {
      const question = this.questions[place];
      step.toggleAttribute("data-answered", groupsOf(question).every(isAnswered));
      step.disabled = this.#isOff(question);
      if (question.contains(this.current)) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    }
  }
}

function groupsOf(question) {
  return [...question.querySelectorAll("[data-group]")];
}

function sideOf(group) {
  return group.querySelector(".group__side")?.textContent ?? "";
}

function isAnswered(group) {
  return group.matches("textarea") ? group.value.trim() !== "" : group.querySelector("input:checked") !== null;
}

// A digit picks by place where no choice of the group claims digits for itself.
function byPlace(inputs, key) {
  if (!/^[1-9]$/.test(key) || inputs.some((each) => /^[0-9]$/.test(each.dataset.key ?? ""))) return undefined;
  return inputs[Number(key) - 1];
}
