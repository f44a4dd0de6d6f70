"""Addresses of teams, and of what organizers settle about people."""

from django.urls import path

from claims.pages import people, registrations, teams

urlpatterns = [
    path("teams/", teams.show_teams, name="teams"),
    path("teams/new", teams.create_team, name="create_team"),
    path("teams/<int:pk>/invite", teams.invite, name="invite_to_team"),
    path("teams/<int:pk>/answer", teams.answer_invitation, name="answer_invitation"),
    path("teams/<int:pk>/leave", teams.leave, name="leave_team"),
    path("teams/<int:pk>/captain", teams.hand_over, name="hand_over_team"),
    path("teams/<int:pk>/remove", teams.remove, name="remove_from_team"),
    path("organize/people/", people.show_people, name="people"),
    path("organize/people/marks", people.mark_people, name="mark_people"),
    path("organize/people/marks/<int:pk>/lift", people.lift_mark, name="lift_mark"),
    path("organize/people/roles", people.grant_role, name="grant_role"),
    path("organize/people/roles/<int:pk>/revoke", people.revoke_role, name="revoke_role"),
    path("organize/people/roles/tasks/revoke", people.revoke_tasks, name="revoke_tasks"),
    path("organize/names/", people.show_names, name="names"),
    path("organize/names/teams/<int:pk>", people.link_team, name="link_team_name"),
    path("organize/names/people/<int:pk>", people.link_person, name="link_person_name"),
    path("organize/registrations/", registrations.show_registrations, name="registrations"),
    path("organize/registrations/contacts", registrations.show_contacts, name="show_contacts"),
    path("organize/registrations/preview", registrations.preview, name="preview_registrations"),
    path("organize/registrations/confirm", registrations.confirm, name="confirm_registrations"),
    path("organize/registrations/settle", registrations.settle, name="settle_registrations"),
]
