import org.openapitools.client.ApiClient;
import org.openapitools.client.api.PetsApi;
import org.openapitools.client.model.NewPet;
import org.openapitools.client.model.Pet;

public class Program {
    public static void main(String[] args) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("PETSTORE_URL"));
        client.setRequestInterceptor(
            request -> request.header("Authorization", "Bearer " + System.getenv("PETSTORE_KEY")));
        NewPet body = new NewPet().name("Generated").categoryId(9007199254740993L);
        Pet pet = new PetsApi(client).createPet(body, null);
        System.out.println(pet.getName() + " " + pet.getCategoryId() + " " + pet.getStatus());
    }
}
